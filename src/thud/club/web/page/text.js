// The club in lines of text: what is said goes into a log that a screen reader speaks, and what is
// asked is the label of the line to type in.
"use strict";

(() => {
  const OVER = 4000; // the code of a line that has ended for good
  const PAUSES = [1, 2, 4, 8, 15, 30]; // seconds until a broken line is tried again
  const MOST = 500; // lines in the log

  const log = document.getElementById("log");
  const form = document.getElementById("form");
  const question = document.getElementById("question");
  const line = document.getElementById("line");

  let socket = null;
  let rest = ""; // what stands on the line that has no end yet
  let broken = 0; // how often in a row the line could not be had

  function say(text) {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    log.append(paragraph);
    while (log.childElementCount > MOST) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }

  function hear(text) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.map((each) => each.trim()).filter(Boolean).forEach(say);
    question.textContent = rest.trim() || "Your answer";
    broken = 0;
  }

  function open() {
    const decoder = new TextDecoder();
    rest = "";
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/board?plain=1`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") hear(decoder.decode(data, { stream: true }));
    });
    socket.addEventListener("close", closed);
  }

  function closed(event) {
    socket = null;
    if (event.code === OVER) {
      say(event.reason);
      question.textContent = "Press Enter to come in again";
      return;
    }
    const pause = PAUSES[Math.min(broken, PAUSES.length - 1)];
    broken += 1;
    say(`${event.reason || "The line to the club is broken."} It is tried again in ${pause} seconds.`);
    setTimeout(comeIn, pause * 1000);
  }

  async function comeIn(secret = "") {
    let answer;
    try {
      answer = await fetch("/enter", { method: "POST", body: secret });
    } catch {
      closed({ code: 0, reason: "" });
      return;
    }
    if (answer.ok) open();
    else say(await answer.text());
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!socket) comeIn();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(["stdin", `${line.value}\n`]));
    else return;
    line.value = "";
  });

  const secret = location.hash.slice(1);
  history.replaceState(null, "", "/text");
  line.focus();
  comeIn(secret);
})();
