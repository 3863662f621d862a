// The page that runs the program itself, in a worker: nothing to install, and no server.
import {
  board, connect, fontsLoaded, isDrawn, isOpen, listen, preferences, say, tell,
} from "./board.js";
import { keepOffline } from "./offline.js";

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
    program.postMessage({
      size: { width: +size.get("width"), height: +size.get("height") },
      prefers: preferences(),
    });
    program.onmessage = ({ data }) => this.take(data);
    setTimeout(() => {
      this.readyState = ProgramSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  take(data) {
    if (data.name) download(data.name, data.bytes);
    else if (typeof data === "string") this.hear(data);
    else this.draw(data);
  }

  draw(data) {
    if (isDrawn(data)) dispatchEvent(new Event("board"));
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  hear(data) {
    const [kind, value] = JSON.parse(data);
    if (kind === "loaded") load(value);
    else if (kind === "choose") choose();
    else if (kind === "over") this.end(value, "Play again");
    else if (kind === "failed") this.end(value, "Try again");
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

let program = null; // the worker

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

// A browser may delete what a site keeps that it does not think important.
function persist() {
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
}

// What follows # is a match, a position or a puzzle: the program opens it, and a reload does not.
function openLink() {
  if (location.hash.length < 2) return;
  sendLink(location.hash);
  history.replaceState(history.state, "", location.pathname + location.search);
  if (isOpen()) board.terminal.focus(); // which a new address takes away
}

function sendLink(text) {
  program.postMessage(JSON.stringify(["link", text]));
}

const MOST = 64 * 1024 * 1024; // bytes of a file that is opened

function choose() {
  const chosen = document.createElement("input");
  chosen.type = "file";
  chosen.accept = ".tgn,.zip";
  chosen.addEventListener("change", () => open(chosen.files[0]));
  chosen.click();
}

async function open(file) {
  if (file.size > MOST) tell("This file is too large to be one of Thud's.");
  else program.postMessage({ file: new Uint8Array(await file.arrayBuffer()) });
}

async function start() {
  const renewed = keepOffline("service-worker.js");
  // Only where the page itself was kept can another version of it have to be loaded.
  if (navigator.serviceWorker?.controller && await renewed) return;
  program = new Worker(new URL("program.js", import.meta.url), { type: "module" });
  program.onerror = (fault) => console.error(fault.message);
  if (document.readyState !== "complete") {
    await new Promise((resolve) => { addEventListener("load", resolve, { once: true }); });
  }
  window.WebSocket = ProgramSocket; // which is what textual.js connects to
  listen({
    leaving: "Leave the page? Your match is saved.",
    beside: document.getElementById("about"),
    worker: "service-worker.js",
  });
  addEventListener("board", () => { bar.hidden = true; }, { once: true });
  addEventListener("keydown", persist, { once: true });
  addEventListener("pointerup", persist, { once: true });
  await fontsLoaded();
  connect("program:");
  openLink();
  addEventListener("hashchange", openLink);
}

start();
