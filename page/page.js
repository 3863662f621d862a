// The page that runs the program itself, in a worker: nothing to install, and no server.
import { connect, fontsLoaded, listen, say, tell } from "./board.js";

const bar = document.getElementById("loaded");
const picture = document.getElementById("picture");

// It stands in for the websocket to a club, and has the same messages.
class ProgramSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;

  constructor(url) {
    super();
    const size = new URL(url, location.href).searchParams;
    this.readyState = ProgramSocket.CONNECTING;
    program.postMessage({ size: { width: +size.get("width"), height: +size.get("height") } });
    program.onmessage = ({ data }) => this.take(data);
    setTimeout(() => {
      this.readyState = ProgramSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  take(data) {
    if (data.name) download(data.name, data.bytes);
    else if (typeof data === "string") this.hear(data);
    else this.dispatchEvent(new MessageEvent("message", { data }));
  }

  hear(data) {
    const [kind, value] = JSON.parse(data);
    if (kind === "loaded") load(value);
    else if (kind === "over") this.end(`${value} Your matches are saved.`, "Play again");
    else if (kind === "failed") this.end(`The program could not be started. ${value}`, "Try again");
    else this.dispatchEvent(new MessageEvent("message", { data }));
  }

  end(sentence, button) {
    this.readyState = ProgramSocket.CLOSED;
    program.terminate();
    bar.hidden = true;
    say(sentence, button, () => location.reload());
  }

  send(text) {
    if (this.readyState === ProgramSocket.OPEN) program.postMessage(text);
  }

  close() {}
}

const program = new Worker(new URL("program.js", import.meta.url), { type: "module" });
program.onerror = (fault) => console.error(fault.message);

function load(share) {
  bar.value = share;
}

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell(`Downloaded: ${name}`);
}

async function start() {
  window.WebSocket = ProgramSocket; // which is what textual.js connects to
  listen({
    leaving: "Leave the page? Your match is saved.",
    beside: document.getElementById("about"),
    worker: "service-worker.js",
  });
  await fontsLoaded();
  connect("program:");
}

if (document.readyState === "complete") start();
else addEventListener("load", start);
