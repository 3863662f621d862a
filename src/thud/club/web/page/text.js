// The club in lines of text: what is said goes into a log that a screen reader speaks, and what is
// asked is the label of the line to type in.
"use strict";

(() => {
  const OVER = 4000; // the code of a line that has ended for good
  const PAUSES = [1, 2, 4, 8]; // seconds until a broken line is tried again
  const ANSWER = 8; // seconds that the club may take to let somebody in
  const MOST = 500; // lines in the log
  const ASK = 4; // seconds between two looks whether the line is alive
  const DEAD = 15; // seconds without any answer after which it is not

  const log = document.getElementById("log");
  const form = document.getElementById("form");
  const question = document.getElementById("question");
  const line = document.getElementById("line");

  let socket = null;
  let rest = ""; // what stands on the line that has no end yet
  let broken = 0; // how often in a row the line could not be had
  let heard = 0; // when something came along it
  let waiting = 0; // the timer of the next try
  let coming = false; // whether the club has been asked to let the visitor in

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
    ask(rest.trim() || "Your answer");
    broken = 0;
  }

  function open() {
    const decoder = new TextDecoder();
    const opened = new WebSocket(`${location.origin.replace(/^http/, "ws")}/board?plain=1`);
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
    else tryAgain(event.reason);
  }

  function end(reason) {
    say(reason);
    ask("Press Enter to come in again");
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
      const answer = await fetch("/enter", {
        method: "POST",
        body: secret,
        signal: AbortSignal.timeout(ANSWER * 1000),
      });
      if (answer.status < 500) secret = "";
      if (answer.ok) open();
      else if (answer.status < 500) end(await answer.text());
      else tryAgain();
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

  function hurry() {
    heard = performance.now(); // a page that was not shown has asked for nothing
    if (waiting) comeIn();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!socket) {
      comeIn();
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(["stdin", `${line.value}\n`]));
      line.value = "";
    }
  });
  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  setInterval(lookAfterLine, ASK * 1000);

  let secret = location.hash.slice(1); // of the invitation, until it has let the visitor in
  history.replaceState(null, "", "/text");
  line.focus();
  comeIn();
})();
