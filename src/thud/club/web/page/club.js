// The page around the board.  textual.js, of textual-serve, draws it with xterm.js and carries what
// is typed; this lets the browser in, chooses how large it is drawn, and comes back when the line
// breaks.
"use strict";

(() => {
  const TEXT = 4001; // the code that leads to the page with lines of text
  const OVER = 4000; // the code of a line that has ended for good
  const PAUSES = [0.5, 1, 2, 4, 8]; // seconds until the page tries again
  const ANSWER = 8; // seconds that the club may take to let somebody in
  const ASK = 4; // seconds between two looks whether the line is alive
  const DEAD = 15; // seconds without any answer after which it is not

  const COMING = "A place at the board is being made…";

  const DRAWN = 200; // bytes that are more than what is said before anything is drawn

  const ADVANCE = 0.6; // of the font, and the height of its lines, in its size
  const LINE = 1.32;
  const WIDE = { columns: 120, lines: 40 }; // what windows show, the panel beside the board
  const SMALL = { columns: 80, lines: 24 };
  const HIGH = { columns: 80, lines: 52 }; // what they show with the panel below it
  const NARROW = { columns: 48, lines: 34 };
  const SIZES = { small: 6, legible: 11, large: 30 }; // of the font, in pixels

  const place = document.getElementById("board");
  const notice = document.getElementById("notice");
  const sentence = document.getElementById("sentence");
  const again = document.getElementById("again");
  const leave = document.getElementById("leave");
  const toCopy = document.getElementById("to-copy");
  const toast = document.getElementById("toast");
  const text = document.getElementById("text");
  const letters = document.getElementById("letters");

  let board = null; // what textual.js makes of an element, once it is there
  let broken = 0; // how often in a row the line could not be had
  let heard = 0; // when something came along it
  let secret = ""; // of the invitation in the address, until it has let the visitor in
  let lost = ""; // why the line is broken: what the club said when it closed, say
  let asking = false; // whether what is said over the board waits for who reads it
  let waiting = 0; // the timer of the next try
  let typed = -Infinity; // when a key was pressed
  let table = location.pathname.replace(/^\/t\//, "/"); // of a table's link, until the board is there

  const touched = matchMedia("(pointer: coarse)");

  // What is said over the board

  function say(text, button, action) {
    sentence.textContent = text;
    again.hidden = !button;
    again.textContent = button || "";
    again.onclick = action;
    leave.hidden = toCopy.hidden = true;
    asking = false;
    notice.hidden = false;
    if (button) again.focus();
  }

  function show() {
    notice.hidden = true;
    board.terminal.focus();
  }

  // How large it is drawn

  // The squares grow in steps only, so that the font fills the window with what it shows: with as
  // much as can be read, and else with what can be read best.
  function fontSize() {
    const { clientWidth: width, clientHeight: height } = place;
    const shapes = width > height ? [WIDE, SMALL, NARROW] : [HIGH, NARROW, SMALL];
    const sizes = shapes.map(({ columns, lines }) =>
      Math.min(width / (columns * ADVANCE), height / (lines * LINE)));
    const size = sizes.find((each) => each >= SIZES.legible) || Math.max(...sizes);
    return Math.min(SIZES.large, Math.max(SIZES.small, Math.floor(size * 4) / 4));
  }

  function fit() {
    if (!board || (window.visualViewport && visualViewport.scale > 1.01)) return;
    board.terminal.options.fontSize = fontSize();
    board.fit();
  }

  // The line

  // textual.js keeps what it makes of an element to itself, but for one name that it gives it.
  function made(element) {
    let found = null;
    Object.defineProperty(Object.prototype, "websocket_url", {
      configurable: true,
      set(url) {
        found = this;
        Object.defineProperty(this, "websocket_url", { value: url, writable: true });
      },
    });
    try {
      window.onload();
    } finally {
      delete Object.prototype.websocket_url;
    }
    return found;
  }

  function begin() {
    const element = document.createElement("div");
    element.className = "textual-terminal";
    element.dataset.sessionWebsocketUrl = line();
    element.dataset.fontSize = fontSize();
    place.append(element);
    board = made(element);
    if (!board) throw new Error("this version of textual-serve is not known here");
    board.terminal.options.theme = { background: "#14171a", foreground: "#e8dcc4" };
    board.terminal.textarea.inputMode = touched.matches ? "none" : "text";
    board.terminal.attachCustomKeyEventHandler(isForBoard);
    board.terminal.onTitleChange((title) => { document.title = title || "Thud"; });
    board.terminal.onBell(ring);
    board.terminal.parser.registerOscHandler(9, callPlayer);
    board.terminal.parser.registerOscHandler(52, copy);
    board.terminal.textarea.setAttribute("aria-label", "Keys for the board; F6 leaves it");
    const drawn = board.terminal.element.querySelector(".xterm-screen");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", "The board, as a picture. 'As text' says it in words.");
    fit();
  }

  function line() {
    return `${location.origin.replace(/^http/, "ws")}/board${table.length > 1 ? table : ""}`;
  }

  function open() {
    say(COMING);
    document.body.classList.remove("-first-byte");
    if (board) {
      board.terminal.reset();
      write(false);
      fit();
      board.websocket_url = line();
      board.connect();
    } else {
      begin();
    }
    const socket = board.socket;
    heard = performance.now();
    socket.addEventListener("open", () => tellFocus(socket));
    socket.addEventListener("message", (message) => hear(message.data));
    socket.addEventListener("close", (event) => closed(socket, event));
  }

  function tellFocus(socket) {
    socket.send(JSON.stringify([document.hasFocus() ? "focus" : "blur"]));
  }

  function hear(data) {
    heard = performance.now();
    if (typeof data !== "string") {
      if (!notice.hidden && !asking && data.byteLength > DRAWN) show();
      if (data.byteLength > DRAWN) table = ""; // whoever comes back sits where they sat
      broken = 0;
      return;
    }
    const [kind, value] = JSON.parse(data);
    if (kind === "delivery") fetchFile(value);
    if (kind === "writing") {
      write(value);
      untouched = value;
    }
  }

  function fetchFile(token) {
    const link = document.createElement("a");
    link.href = `/download/${token}`;
    link.download = "";
    link.click();
  }

  function closed(socket, event) {
    if (socket !== board.socket) return; // another has taken its place
    if (event.code === TEXT) location.href = "/text";
    else if (event.code === OVER) say(event.reason, "Come in again", comeIn);
    else tryAgain(event.reason);
  }

  function tryAgain(reason) {
    const pause = PAUSES[Math.min(broken, PAUSES.length - 1)];
    broken += 1;
    lost = reason || (broken > 1 ? lost : "The connection to the club is lost.");
    say(`${lost} Your seat is kept. The page tries again ${wording(pause)}.`,
      "Try now", comeIn);
    waiting = setTimeout(comeIn, pause * 1000);
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
    say(broken ? `${lost} The page tries again…` : COMING);
    let answer;
    try {
      answer = await fetch("/enter", {
        method: "POST",
        body: secret,
        signal: AbortSignal.timeout(ANSWER * 1000),
      });
    } catch {
      tryAgain();
      return;
    }
    if (answer.status < 500) secret = "";
    if (answer.ok) open();
    else if (answer.status < 500) say(await answer.text());
    else tryAgain();
  }

  function lookAfterLine() {
    if (!board || document.hidden || board.socket.readyState > WebSocket.OPEN) return;
    if (performance.now() - heard > DEAD * 1000) {
      const socket = board.socket;
      // What is typed meanwhile goes nowhere.
      board.socket = { send() {}, readyState: WebSocket.CLOSED };
      socket.close();
      tryAgain();
    } else if (board.socket.readyState === WebSocket.OPEN) {
      board.sendPing();
    }
  }

  // Keys

  // What the browser needs for itself: reloading, its address, finding, bookmarks, going back and
  // forth, its zoom, the whole screen, its tools, and pasting.  F6 leaves the board.
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
      if (isInTerminal(document.activeElement)) text.focus();
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

  // Ctrl+W closes a tab that was meant to hear it, and no page can prevent that; it can only ask.
  function askBeforeLeaving(event) {
    const isOpen = board && board.socket.readyState === WebSocket.OPEN;
    if (isOpen && performance.now() - typed < 1500) event.preventDefault();
  }

  // Back leads out of the page: in a match it asks first.  Browsers pass over what was put into
  // their history before anything was done on the page.
  let guarded = false;

  function guard() {
    if (guarded) return;
    guarded = true;
    history.pushState({ board: true }, "", "/");
  }

  function isPlaying() {
    const isOpen = board && board.socket.readyState === WebSocket.OPEN;
    return isOpen && /^Thud: .*(move|asked)/.test(document.title);
  }

  function goBack() {
    if (!guarded) return;
    guarded = false;
    if (!isPlaying()) {
      history.back();
      return;
    }
    say("Leave the page? Your match goes on, and your seat is kept.", "Stay", () => {
      guard();
      show();
    });
    leave.hidden = false;
    asking = true;
  }

  // Your turn, while you look at something else

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
      // There is no sound on this machine.
    }
  }

  function callPlayer(words) {
    if (!("Notification" in window)) return true;
    // A browser asks its user only when a key or a finger has come.
    if (Notification.permission === "default") {
      addEventListener("pointerup", () => Notification.requestPermission(), { once: true });
    } else if (document.hidden && Notification.permission === "granted") {
      const note = new Notification("Thud", { body: words.replace(/^Thud: /, ""), tag: "thud" });
      note.onclick = () => { window.focus(); note.close(); };
    }
    return true;
  }

  // Copying: on a page without encryption a browser has no clipboard for scripts.

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
      // It is not allowed here.
    }
    box.remove();
    board.terminal.focus();
    return copied;
  }

  function offer(words) {
    say("This browser lets no page copy here. Copy it yourself:", "Close", show);
    toCopy.value = words;
    toCopy.hidden = false;
    asking = true;
    toCopy.focus();
    toCopy.select();
  }

  let telling = 0;

  function tell(words) {
    clearTimeout(telling);
    toast.textContent = words;
    telling = setTimeout(() => { toast.textContent = ""; }, 3000);
  }

  // Fingers

  let untouched = false; // whether no finger has come since there is a line to type in
  let touch = null; // where a finger is, while it is drawn over the board

  function beginSwipe(event) {
    touch = event.touches.length === 1 ? event.touches[0] : null;
  }

  // A finger that is drawn over the board turns the wheel of a mouse.
  function swipe(event) {
    if (!touch || event.touches.length !== 1) return;
    const now = event.touches[0];
    const step = board.terminal.options.fontSize * LINE;
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

  // Bring the keyboard of the screen where there is a line to type in, or who plays asks for it; a
  // tap on a square does not.
  function write(wanted) {
    letters.setAttribute("aria-pressed", String(wanted));
    const input = board.terminal.textarea;
    const mode = wanted || !touched.matches ? "text" : "none";
    if (mode === input.inputMode) return;
    input.inputMode = mode;
    focusAnew();
  }

  // Some browsers bring their keyboard only when they have told of a finger.
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
    // Without the end of the key, text that comes without keys is taken for its echo: dictation, say.
    for (const kind of ["keydown", "keyup"]) {
      board.terminal.textarea.dispatchEvent(new KeyboardEvent(kind, {
        key, code: key, keyCode: codes[key], which: codes[key], bubbles: true, cancelable: true,
      }));
    }
  }

  // What happens

  function listen() {
    addEventListener("resize", fit);
    addEventListener("online", hurry);
    addEventListener("hashchange", () => { takeSecret(); comeIn(); }); // of another invitation
    addEventListener("offline", lookAfterLine);
    addEventListener("beforeunload", askBeforeLeaving);
    addEventListener("keydown", guard, { once: true });
    addEventListener("pointerup", guard, { once: true });
    addEventListener("popstate", goBack);
    leave.addEventListener("click", () => history.back());
    document.addEventListener("keydown", takeKey, true);
    document.addEventListener("visibilitychange", lookAfterLine);
    document.addEventListener("contextmenu", (event) => event.preventDefault());
    place.addEventListener("touchstart", beginSwipe, { capture: true, passive: true });
    place.addEventListener("touchend", tap, { capture: true, passive: true });
    place.addEventListener("touchmove", swipe, { capture: true, passive: true });
    document.getElementById("keys").addEventListener("click", press);
    document.getElementById("keys").addEventListener("pointerdown", (event) => event.preventDefault());
    setInterval(lookAfterLine, ASK * 1000);
  }

  // Take the secret out of the address, where people who look on would see it.
  function takeSecret() {
    secret = location.hash.slice(1);
    history.replaceState(null, "", "/");
  }

  async function start() {
    takeSecret();
    listen();
    await Promise.all(["", "bold ", "italic "].map(
      (style) => document.fonts.load(`${style}16px "Roboto Mono"`)));
    await comeIn();
  }

  addEventListener("load", start);
})();
