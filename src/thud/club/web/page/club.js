// A club's page: it logs in, and reconnects when the connection breaks.
import {
  board, connect, fontsLoaded, isDrawn, isOpen, listen, say as ask,
} from "./board.js";

const TEXT = 4001; // close code that leads to the plain-text page
const OVER = 4000; // close code of a connection that has ended for good
const LINE = 4002; // close code of a club that is full
const NEXT = 5; // seconds until a page asks again whose place in the line is kept
const PAUSES = [0.5, 1, 2, 4, 8]; // seconds before each reconnect
const ANSWER = 8; // timeout for logging in, in seconds
const ASK = 4; // seconds between two pings
const DEAD = 15; // seconds without a message after which the connection is dead

const COMING = "A place at the board is being made…";
const OFFLINE = "This device is offline.";

const text = document.getElementById("text");
const invited = document.getElementById("invited");
const word = document.getElementById("word");

let broken = 0; // failed connections in a row
let heard = 0; // time of the last message
let secret = ""; // the invitation's or a table's, from the address, until logged in
let lost = ""; // why the connection broke: what the club said when it closed, say
let waiting = 0; // timer of the next reconnect
let standing = ""; // the place in the line before a full club
let table = ""; // a table's link, until the board is drawn
const shown = /^\/w\/([^/]+)$/.exec(location.pathname); // a link that only shows a table

function say(...what) {
  invited.hidden = true;
  ask(...what);
}

// The connection

function line() {
  if (shown) return `${location.origin.replace(/^http/, "ws")}/show/${shown[1]}`;
  return `${location.origin.replace(/^http/, "ws")}/board${table && `/${table}`}`;
}

function open() {
  say(standing || COMING);
  const socket = connect(line());
  heard = performance.now();
  socket.addEventListener("message", (message) => hear(socket, message.data));
  socket.addEventListener("close", (event) => closed(socket, event));
}

function hear(socket, data) {
  if (socket !== board.socket) return; // dropped
  heard = performance.now();
  if (typeof data !== "string") {
    broken = 0;
    standing = "";
    if (isDrawn(data) && table) {
      table = ""; // the club restores a visitor's seat itself
      keep("followed", location.pathname);
    }
    return;
  }
  const [kind, value] = JSON.parse(data);
  if (kind === "delivery") fetchFile(value);
}

function fetchFile(token) {
  const link = document.createElement("a");
  link.href = `/download/${token}`;
  link.download = "";
  link.click();
}

function closed(socket, event) {
  if (socket !== board.socket) return; // replaced by a newer one
  if (event.code === TEXT) location.href = "/text";
  else if (event.code === OVER) say(event.reason, "Come in again", comeIn);
  else if (event.code === LINE) stand(event.reason);
  else tryAgain(event.reason);
}

function tryAgain(reason) {
  const pause = PAUSES[Math.min(broken, PAUSES.length - 1)];
  broken += 1;
  if (!navigator.onLine && !reason) lost = OFFLINE;
  else lost = reason || (broken > 1 ? lost : "The connection to the club is lost.");
  const kept = shown ? "" : " Your seat is kept.";
  say(`${lost}${kept} The page tries again ${wording(pause)}.`, "Try now", comeIn);
  waiting = setTimeout(comeIn, pause * 1000);
}

function stand(reason) {
  standing = `${reason} The page goes on by itself.`;
  say(standing);
  waiting = setTimeout(comeIn, NEXT * 1000);
}

function hurry() {
  if (waiting) comeIn();
}

function wording(pause) {
  return pause < 2 ? "at once" : `in ${pause} seconds`;
}

async function comeIn() {
  clearTimeout(waiting);
  waiting = 0;
  say(standing || (broken ? `${lost} The page tries again…` : COMING));
  let answer;
  const signal = AbortSignal.timeout(ANSWER * 1000);
  try {
    // A link that only shows a table needs no secret, and the page of one that has expired says so.
    if (shown) answer = await fetch(location.pathname, { cache: "no-store", signal });
    else answer = await fetch(`/enter?table=${table}`, { method: "POST", body: secret, signal });
  } catch {
    tryAgain();
    return;
  }
  if (answer.ok) {
    keep("secret", "");
    secret = "";
    open();
  } else if (answer.status === 403 && shown) {
    say(await answer.text());
  } else if (answer.status === 403) {
    askForWord(await answer.text());
  } else {
    tryAgain(answer.status === 429 ? await answer.text() : "");
  }
}

function askForWord(reason) {
  keep("secret", "");
  secret = "";
  say(reason);
  invited.hidden = false;
  word.focus();
}

function takeWord(event) {
  event.preventDefault();
  secret = word.value.trim().split("#").pop();
  word.value = "";
  if (secret) comeIn();
}

function drop(reason) {
  const socket = board.socket;
  if (socket.readyState > WebSocket.OPEN) return;
  // Drop input until reconnected.
  board.socket = { send() {}, readyState: WebSocket.CLOSED };
  socket.close();
  tryAgain(reason);
}

// A club on this machine can be reached all the same.
function lookAfterNetwork() {
  fetch("/health", { cache: "no-store" }).catch(() => board && drop(OFFLINE));
}

function lookAfterLine() {
  if (!board || document.hidden || board.socket.readyState > WebSocket.OPEN) return;
  if (performance.now() - heard > DEAD * 1000) {
    drop();
  } else if (isOpen()) {
    board.sendPing();
  }
}

// Events

function follow() {
  addEventListener("online", hurry);
  if (!shown) addEventListener("hashchange", () => { takeAddress(); comeIn(); }); // an invitation
  addEventListener("offline", lookAfterNetwork);
  document.addEventListener("visibilitychange", lookAfterLine);
  invited.addEventListener("submit", takeWord);
  setInterval(lookAfterLine, ASK * 1000);
}

// Take the secret out of the address bar, where onlookers would see it; a reload still knows it.
// A table's link stays there, but a reload does not follow it again.
function takeAddress() {
  secret = location.hash.slice(1) || kept("secret");
  keep("secret", secret);
  const link = /^\/t\/(.+)$/.exec(location.pathname);
  table = link && kept("followed") !== location.pathname ? link[1] : "";
  history.replaceState(null, "", location.pathname);
}

// Some browsers store nothing, and throw.
function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // a reload starts over
  }
}

function kept(name) {
  try {
    return sessionStorage.getItem(name) || "";
  } catch {
    return "";
  }
}

async function start() {
  if (shown) text.href = `${location.pathname}/text`;
  else takeAddress();
  listen({
    leaving: shown ? "" : "Leave the page? Your match goes on, and your seat is kept.",
    beside: text,
    worker: "/worker.js",
  });
  follow();
  await fontsLoaded();
  await comeIn();
}

addEventListener("load", start);
