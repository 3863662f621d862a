// The club as plain text: output goes into a log that screen readers speak; the current question is
// the label of the input.
"use strict";

(() => {
  const OVER = 4000; // close code of a connection that has ended for good
  const LINE = 4002; // close code of a club that is full
  const NEXT = 5; // seconds until a page asks again whose place in the line is kept
  const PAUSES = [1, 2, 4, 8]; // seconds before each reconnect
  const ANSWER = 8; // timeout for logging in, in seconds
  const MOST = 500; // lines in the log
  const ASK = 4; // seconds between two pings
  const DEAD = 15; // seconds without a message after which the connection is dead

  const shown = /^\/w\/([^/]+)\/text$/.exec(location.pathname); // a link that only shows a table

  const log = document.getElementById("log");
  const form = document.getElementById("form");
  const question = document.getElementById("question");
  const line = document.getElementById("line");

  let socket = null;
  let rest = ""; // the unfinished last line of output
  let broken = 0; // failed connections in a row
  let heard = 0; // time of the last message
  let waiting = 0; // timer of the next reconnect
  let coming = false; // whether a login is under way
  let standing = ""; // the place in the line before a full club
  let uninvited = false; // whether the club asks for the word of the invitation

  function say(text) {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    log.append(paragraph);
    while (log.childElementCount > MOST) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }

  function ask(text) {
    if (question.textContent === text) return;
    question.textContent = text;
    document.title = `${text} - Thud`;
  }

  function hear(text) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.map((each) => each.trim()).filter(Boolean).forEach(say);
    if (rest.trim()) ask(rest.trim());
    broken = 0;
  }

  function open() {
    const decoder = new TextDecoder();
    const path = shown ? `/show/${shown[1]}` : "/board";
    const opened = new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}?plain=1`);
    rest = "";
    socket = opened;
    heard = performance.now();
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      heard = performance.now();
      if (typeof data !== "string") hear(decoder.decode(data, { stream: true }));
    });
    socket.addEventListener("close", (event) => { if (opened === socket) closed(event); });
  }

  function closed(event) {
    socket = null;
    if (event.code === OVER) end(event.reason);
    else if (event.code === LINE) stand(event.reason);
    else tryAgain(event.reason);
  }

  function end(reason) {
    say(reason);
    ask(shown ? "Press Enter to watch again" : "Press Enter to come in again");
  }

  function stand(reason) {
    if (standing !== reason) say(reason);
    standing = reason;
    ask("Press Enter to ask now; the page goes on by itself");
    waiting = setTimeout(comeIn, NEXT * 1000);
  }

  function askForWord(reason) {
    say(reason);
    ask("The word of the invitation, or its whole address");
  }

  function tryAgain(reason) {
    const pause = PAUSES[Math.min(broken, PAUSES.length - 1)];
    broken += 1;
    const when = pause === 1 ? "in a second" : `in ${pause} seconds`;
    say(`${reason || "The connection to the club is lost."} The page tries again ${when}.`);
    ask("Press Enter to try now");
    waiting = setTimeout(comeIn, pause * 1000);
  }

  async function comeIn() {
    if (coming) return;
    coming = true;
    clearTimeout(waiting);
    waiting = 0;
    try {
      const signal = AbortSignal.timeout(ANSWER * 1000);
      // A link that only shows a table needs no secret.
      const answer = shown
        ? await fetch(location.pathname, { cache: "no-store", signal })
        : await fetch("/enter", { method: "POST", body: secret, signal });
      if (shown && answer.status === 403) {
        end(await answer.text());
        coming = false;
        return;
      }
      uninvited = answer.status === 403;
      if (answer.ok || uninvited) secret = "";
      if (answer.ok) open();
      else if (uninvited) askForWord(await answer.text());
      else tryAgain(answer.status === 429 ? await answer.text() : "");
    } catch {
      tryAgain();
    }
    coming = false;
  }

  function lookAfterLine() {
    if (!socket || document.hidden || socket.readyState > WebSocket.OPEN) return;
    if (performance.now() - heard > DEAD * 1000) {
      socket.close();
      closed({ code: 0, reason: "" });
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(["ping", ""]));
    }
  }

  function lookAfterNetwork() {
    const before = socket;
    fetch("/health", { cache: "no-store" }).catch(() => {
      if (!before || socket !== before) return;
      before.close();
      closed({ code: 0, reason: "This device is offline." });
    });
  }

  function hurry() {
    heard = performance.now(); // a hidden page sends no pings
    if (waiting) comeIn();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (uninvited) {
      secret = line.value.trim().split("#").pop();
      line.value = "";
      if (secret) comeIn();
    } else if (!socket) {
      comeIn();
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(["stdin", `${line.value}\n`]));
      line.value = "";
    }
  });
  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  addEventListener("offline", lookAfterNetwork);
  setInterval(lookAfterLine, ASK * 1000);

  let secret = location.hash.slice(1); // the invitation's, until logged in
  if (shown) document.getElementById("board").href = `/w/${shown[1]}`;
  else history.replaceState(null, "", "/text");
  line.focus();
  comeIn();
})();
