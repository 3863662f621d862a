// Runs code in Pyodide with directories of this machine: what has to be done by the page's own Python.
const { pyodide, library, places, code } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({
  ...(library ? { stdLibURL: library } : {}), env: { HOME: "/", PYTHONNODEBUGRANGES: "1" } });
for (const [place, root] of Object.entries(places)) {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.runPython("import sys; sys.path.append('/tools')");
try {
  await python.runPythonAsync(code);
} catch (fault) {
  console.error(fault.message);
  process.exit(1);
}
