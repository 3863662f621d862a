// The board on a page: a terminal drawn by textual-serve's textual.js, and what is around it.
// It chooses the font size, draws pieces, and handles keys, touch, notices and copying, whatever
// program is at the other end of the connection.

const DRAWN = 200; // bytes: only the drawn board sends longer messages

const ADVANCE = 0.6; // width and line height of a cell, relative to the font size
const LINE = 1.32;
// Square: columns of a square to its lines, where squares can be stretched.
const WIDE = { columns: 120, lines: 40, square: 0 }; // for wide windows, panel beside the board
const SMALL = { columns: 80, lines: 24, square: 0 };
const HIGH = { columns: 80, lines: 52, square: 5 / 2 }; // for high windows, panel below it
const NARROW = { columns: 48, lines: 34, square: 3 };
const SIZES = { small: 6, legible: 11, large: 30 }; // font sizes in pixels

const place = document.getElementById("board");
const notice = document.getElementById("notice");
const sentence = document.getElementById("sentence");
const again = document.getElementById("again");
const leave = document.getElementById("leave");
const toCopy = document.getElementById("to-copy");
const toast = document.getElementById("toast");
const letters = document.getElementById("letters");

export let board = null; // textual.js's object for the terminal, once made
let asking = false; // whether the notice over the board waits for an answer
let typed = -Infinity; // time of the last key press
let around = null; // what differs from page to page: see `listen`

const touched = matchMedia("(pointer: coarse)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const light = matchMedia("(prefers-color-scheme: light)");

// The notice over the board

export function say(text, button, action) {
  sentence.textContent = text;
  again.hidden = !button;
  again.textContent = button || "";
  again.onclick = action;
  leave.hidden = toCopy.hidden = true;
  asking = false;
  notice.hidden = false;
  if (button) again.focus();
}

export function show() {
  notice.hidden = true;
  board.terminal.focus();
}

// Font size

// Squares have few sizes in cells, so the font size fills the window: for the largest terminal
// size that stays legible, else for the most legible one.
// High windows stretch the lines into the height left, at most until squares are as high as wide.
// A browser's zoom enlarges the text all the same: the board is then larger than the window.
function typeSize() {
  const zoom = zoomed();
  const [width, height] = [zoom * place.clientWidth, zoom * place.clientHeight];
  const shapes = width > height ? [WIDE, SMALL, NARROW] : [HIGH, NARROW, SMALL];
  const found = shapes.map(({ columns, lines, square }) => {
    const size = Math.min(width / (columns * ADVANCE), height / (lines * LINE));
    const fontSize = Math.min(SIZES.large, Math.max(SIZES.small, Math.floor(size * 4) / 4));
    const room = height / (lines * Math.ceil(LINE * fontSize));
    return { size, fontSize, lineHeight: Math.max(1, Math.min(room, square * ADVANCE / LINE)) };
  });
  const sizes = found.map(({ size }) => size);
  const best = sizes.find((each) => each >= SIZES.legible) || Math.max(...sizes);
  return found[sizes.indexOf(best)];
}

// How much the browser enlarges the page; window borders and tool bars do not count.
function zoomed() {
  const ratio = Math.min(outerWidth / innerWidth, outerHeight / innerHeight);
  return ratio > 1.4 ? ratio : 1;
}

export function fit() {
  // A new size is sent at once, which a connection that is not open yet refuses.
  if (!board || board.socket.readyState === WebSocket.CONNECTING) return;
  if (window.visualViewport && visualViewport.scale > 1.01) return;
  const { fontSize, lineHeight } = typeSize();
  Object.assign(board.terminal.options, { fontSize, lineHeight });
  const { columns, lines } = place.clientWidth > place.clientHeight ? SMALL : NARROW;
  const cell = Math.ceil(LINE * fontSize);
  const least = zoomed() > 1 ? [`${columns * cell * ADVANCE / LINE}px`, `${lines * cell}px`] : ["", ""];
  [board.element.style.minWidth, board.element.style.minHeight] = least;
  board.fit();
}

// The connection

const NOTHING = { activate() {}, dispose() {} }; // an addon that adds nothing

// textual.js keeps its object private, but sets these attributes on it.  It draws by WebGL, and at
// once by a canvas in its place: the first would take a tenth of a second, and the memory.
function made(element) {
  let found = null;
  const make = window.onload;
  window.onload = null; // the browser would call it again, if it still loads the page
  const attributes = {
    websocket_url(url) {
      found = this;
      return url;
    },
    webglAddon: () => NOTHING,
  };
  for (const [name, taken] of Object.entries(attributes)) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      set(value) {
        Object.defineProperty(this, name, { value: taken.call(this, value), writable: true });
      },
    });
  }
  try {
    make();
  } finally {
    for (const name of Object.keys(attributes)) delete Object.prototype[name];
  }
  return found;
}

function begin(url) {
  const element = document.createElement("div");
  element.className = "textual-terminal";
  element.dataset.sessionWebsocketUrl = url;
  element.dataset.fontSize = typeSize().fontSize;
  place.append(element);
  board = made(element);
  if (!board) throw new Error("this version of textual-serve is not known here");
  board.terminal.onRender(safely(drawPieces));
  board.terminal.textarea.inputMode = touched.matches ? "none" : "text";
  board.terminal.attachCustomKeyEventHandler(safely(isForBoard));
  board.terminal.onTitleChange(safely((title) => { document.title = title || "Thud"; }));
  board.terminal.onBell(safely(ring));
  board.terminal.parser.registerOscHandler(9, safely(callPlayer));
  board.terminal.parser.registerOscHandler(52, safely(copy));
  board.terminal.textarea.setAttribute("aria-label", "Keys for the board; F6 leaves it");
}

// A handler that throws inside the terminal would stop it for good.
function safely(handler) {
  return (...all) => {
    try {
      return handler(...all);
    } catch (fault) {
      console.error(fault);
      return true;
    }
  };
}

// Connect the board to a program; return the websocket, or what stands in for it.
export function connect(url) {
  document.body.classList.remove("-first-byte");
  if (board) {
    board.terminal.reset();
    write(false);
    fit();
    board.websocket_url = url;
    board.connect();
  } else {
    begin(url);
  }
  const socket = board.socket;
  socket.addEventListener("open", () => {
    fit();
    tellFocus(socket);
    tellPreferences();
    if (!asking) board.terminal.focus(); // keys are kept until the board is drawn
  });
  socket.addEventListener("message", (message) => hear(message.data));
  return socket;
}

export function isOpen() {
  return board !== null && board.socket.readyState === WebSocket.OPEN;
}

function tellFocus(socket) {
  socket.send(JSON.stringify([document.hasFocus() ? "focus" : "blur"]));
}

export function preferences() {
  return { touch: touched.matches, calm: calm.matches, light: light.matches };
}

function tellPreferences() {
  if (isOpen()) board.socket.send(JSON.stringify(["prefers", preferences()]));
}

function hear(data) {
  if (typeof data !== "string") {
    if (!notice.hidden && !asking && isDrawn(data)) show();
    return;
  }
  const [kind, value] = JSON.parse(data);
  if (kind === "looks") takeLooks(value);
  if (kind === "writing") {
    write(value);
    untouched = value;
  }
}

export function isDrawn(data) {
  return typeof data !== "string" && data.byteLength > DRAWN;
}

// Colours and pieces

// A square too small for a sprite has a character of private use in the middle of its three cells.
// The piece is drawn over it here, in the pixels of the screen, and so as large as the square.
let pieces = new Map(); // the picture of each such character
const painted = document.createElement("canvas");
painted.className = "pieces";

function takeLooks(looks) {
  board.terminal.options.theme = { background: looks.ground, foreground: looks.ink };
  place.style.background = document.body.style.background = looks.ground;
  const drawn = Object.entries(looks.pieces);
  pieces = new Map(drawn.map(([sign, rows]) => [sign, picture(rows, looks.colours)]));
  drawPieces();
}

function picture(rows, colours) {
  const made = document.createElement("canvas");
  [made.width, made.height] = [rows[0].length, rows.length];
  const pen = made.getContext("2d");
  rows.forEach((row, y) => [...row].forEach((letter, x) => {
    if (!(letter in colours)) return; // transparent
    pen.fillStyle = colours[letter];
    pen.fillRect(x, y, 1, 1);
  }));
  return made;
}

function drawPieces() {
  const { cols, rows, buffer } = board.terminal;
  const screen = place.querySelector(".xterm-screen");
  if (painted.parentNode !== screen) screen.append(painted);
  const { width, height } = screen.getBoundingClientRect();
  painted.width = width * devicePixelRatio; // clears it, too
  painted.height = height * devicePixelRatio;
  const [across, down] = [painted.width / cols, painted.height / rows];
  const pen = painted.getContext("2d");
  pen.imageSmoothingQuality = "high";
  for (let y = 0; y < rows; y += 1) {
    const line = buffer.active.getLine(buffer.active.viewportY + y);
    const text = line ? line.translateToString() : "";
    for (const { 0: sign, index } of text.matchAll(/[\ue000-\ue0ff]/g)) {
      const piece = pieces.get(sign);
      if (!piece) continue;
      const size = Math.min(3 * across / piece.width, down / piece.height);
      const [wide, high] = [piece.width * size, piece.height * size];
      pen.drawImage(piece, (index + 0.5) * across - wide / 2, (y + 0.5) * down - high / 2, wide, high);
    }
  }
}

// Keys

// Whether a key is not reserved for the browser: reload, address bar, find, bookmark, history,
// zoom, full screen, developer tools, paste.  F6 leaves the board.
function isForBoard(event) {
  const held = event.ctrlKey || event.metaKey;
  if (["F5", "F6", "F11", "F12"].includes(event.key)) return false;
  if (held && ["+", "-", "=", "0"].includes(event.key)) return false;
  if (held && ["v", "r", "l", "f", "d"].includes(event.key.toLowerCase())) return false;
  if (event.altKey && event.key.startsWith("Arrow")) return false;
  return !(event.ctrlKey && event.shiftKey);
}

function takeKey(event) {
  if (event.key === "F6" && notice.hidden) {
    event.preventDefault();
    if (isInTerminal(document.activeElement)) around.beside.focus();
    else if (board) board.terminal.focus();
    return;
  }
  if (!isForBoard(event)) return;
  typed = performance.now();
  const nowhere = document.activeElement === document.body || document.activeElement === null;
  if (notice.hidden && board && nowhere) board.terminal.focus();
}

function isInTerminal(element) {
  return element !== null && place.contains(element);
}

// Ctrl+W meant for the board closes the tab; a page cannot prevent that, only ask.
function askBeforeLeaving(event) {
  if (isOpen() && performance.now() - typed < 1500) event.preventDefault();
}

// "Back" leaves the page; in a match it asks first.  Browsers skip history entries that were
// added before the user did anything on the page.
let guarded = false;

function guard() {
  if (guarded) return;
  guarded = true;
  history.pushState({ board: true }, "", location.pathname);
}

function isPlaying() {
  return isOpen() && /^Thud: .*(move|asked)/.test(document.title);
}

function goBack() {
  if (!guarded || location.hash) return; // another address of the same page is no way back
  guarded = false;
  if (!isPlaying() || !around.leaving) {
    history.back();
    return;
  }
  say(around.leaving, "Stay", () => {
    guard();
    show();
  });
  leave.hidden = false;
  asking = true;
}

// Notifications

let sounds = null;

function ring() {
  try {
    sounds = sounds || new AudioContext();
    const [tone, loudness] = [sounds.createOscillator(), sounds.createGain()];
    tone.frequency.value = 660;
    loudness.gain.setValueAtTime(0.12, sounds.currentTime);
    loudness.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.4);
    tone.connect(loudness).connect(sounds.destination);
    tone.start();
    tone.stop(sounds.currentTime + 0.4);
  } catch {
    // no sound on this machine
  }
}

function callPlayer(words) {
  if (!("Notification" in window)) return true;
  // Browsers ask for permission only after a user gesture.
  if (Notification.permission === "default") {
    addEventListener("pointerup", () => Notification.requestPermission(), { once: true });
  } else if (document.hidden && Notification.permission === "granted") {
    notify({ body: words.replace(/^Thud: /, ""), tag: "thud" });
  }
  return true;
}

async function notify(about) {
  try {
    const note = new Notification("Thud", about);
    note.onclick = () => { window.focus(); note.close(); };
  } catch { // Chrome on Android leaves them to service workers
    try {
      await navigator.serviceWorker.register(around.worker);
      const worker = await navigator.serviceWorker.ready;
      await worker.showNotification("Thud", about);
    } catch (fault) {
      console.error(fault); // the title says it, too
    }
  }
}

// Copying: without https, scripts have no clipboard.

function copy(data) {
  let words;
  try {
    const bytes = Uint8Array.from(atob(data.slice(data.indexOf(";") + 1)), (c) => c.charCodeAt(0));
    words = new TextDecoder().decode(bytes);
  } catch {
    return true;
  }
  const written = navigator.clipboard
    ? navigator.clipboard.writeText(words)
    : Promise.reject(new Error("no clipboard"));
  written.then(() => tell("Copied."), () => {
    if (copySelected(words)) tell("Copied.");
    else offer(words);
  });
  return true;
}

function copySelected(words) {
  const box = document.createElement("textarea");
  box.value = words;
  box.setAttribute("aria-hidden", "true");
  document.body.append(box);
  box.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    // not allowed here
  }
  box.remove();
  board.terminal.focus();
  return copied;
}

function offer(words) {
  say("This browser does not let the page copy. Copy it yourself:", "Close", show);
  toCopy.value = words;
  toCopy.hidden = false;
  asking = true;
  toCopy.focus();
  toCopy.select();
}

let telling = 0;

export function tell(words) {
  clearTimeout(telling);
  toast.textContent = words;
  telling = setTimeout(() => { toast.textContent = ""; }, 3000);
}

// Touch

let untouched = false; // whether an input got the focus since the last tap
let touch = null; // position of a swiping finger

function beginSwipe(event) {
  touch = event.touches.length === 1 ? event.touches[0] : null;
}

// A swipe scrolls like a mouse wheel.
function swipe(event) {
  if (!touch || event.touches.length !== 1) return;
  const now = event.touches[0];
  const { fontSize, lineHeight } = board.terminal.options;
  const step = fontSize * LINE * lineHeight;
  const lines = Math.trunc((touch.clientY - now.clientY) / step);
  event.stopPropagation();
  if (!lines) return;
  const { clientX, clientY, target } = touch;
  for (let line = 0; line < Math.abs(lines); line += 1) {
    target.dispatchEvent(new WheelEvent("wheel", {
      bubbles: true, cancelable: true, clientX, clientY,
      deltaY: Math.sign(lines), deltaMode: WheelEvent.DOM_DELTA_LINE,
    }));
  }
  touch = now;
}

function isWriting() {
  return letters.getAttribute("aria-pressed") === "true";
}

// Show the on-screen keyboard when an input has the focus or the user asks for it, not on a tap
// on a square.
function write(wanted) {
  letters.setAttribute("aria-pressed", String(wanted));
  const input = board.terminal.textarea;
  const mode = wanted || !touched.matches ? "text" : "none";
  if (mode === input.inputMode) return;
  input.inputMode = mode;
  focusAnew();
}

// Some browsers show their keyboard only in a touch handler.
function tap() {
  touch = null;
  if (untouched) focusAnew();
  untouched = false;
}

function focusAnew() {
  board.terminal.textarea.blur();
  board.terminal.textarea.focus();
}

function press(event) {
  if (!board) return;
  const key = event.target.dataset.key;
  if (event.target === letters) write(!isWriting());
  else if (key) send(key);
}

function send(key) {
  const codes = {
    Escape: 27, Tab: 9, Enter: 13, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
  };
  // Without keyup, later text without keys (dictation, say) would be taken for this key's echo.
  for (const kind of ["keydown", "keyup"]) {
    board.terminal.textarea.dispatchEvent(new KeyboardEvent(kind, {
      key, code: key, keyCode: codes[key], which: codes[key], bubbles: true, cancelable: true,
    }));
  }
}

// Events

// Listen to what happens on the page.  `differences` has the sentence that asks whether to leave in
// a match, the element to which F6 leads from the board, and the address of the service worker.
export function listen(differences) {
  around = differences;
  addEventListener("resize", fit);
  addEventListener("beforeunload", askBeforeLeaving);
  addEventListener("keydown", guard, { once: true });
  addEventListener("pointerup", guard, { once: true });
  addEventListener("popstate", goBack);
  leave.addEventListener("click", () => history.back());
  document.addEventListener("keydown", takeKey, true);
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  place.addEventListener("touchstart", beginSwipe, { capture: true, passive: true });
  place.addEventListener("touchend", tap, { capture: true, passive: true });
  place.addEventListener("touchmove", swipe, { capture: true, passive: true });
  document.getElementById("keys").addEventListener("click", press);
  document.getElementById("keys").addEventListener("pointerdown", (event) => event.preventDefault());
  for (const preference of [touched, calm, light]) {
    preference.addEventListener("change", tellPreferences);
  }
}

export function fontsLoaded() {
  return Promise.all(["", "bold ", "italic "].map(
    (style) => document.fonts.load(`${style}16px "Roboto Mono"`)));
}
