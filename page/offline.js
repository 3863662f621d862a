// The page without a network, and its next version.
import { tell } from "./board.js";

const LATER = 8000; // milliseconds after the board is there
const AGAIN = 5000; // milliseconds until the page is loaded anew all the same
const NEW = "A new version of Thud is here. It begins when you open the page again.";

// Whether another tab plays, in the version it began with.
async function isPlayedElsewhere() {
  const { held } = await navigator.locks.query();
  return held.some(({ name }) => name === "thud");
}

// Let a version that waits take over; return whether the page has to be loaded anew for it.
async function updated(registration) {
  if (!registration.waiting || await isPlayedElsewhere()) return false;
  const changed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    // The old version ends what it answers first, perhaps to this page.
    setTimeout(resolve, AGAIN);
  });
  registration.waiting.postMessage("take over");
  await changed;
  return true;
}

function follow(registration) {
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming.addEventListener("statechange", () => {
      if (coming.state === "installed" && navigator.serviceWorker.controller) tell(NEW);
    });
  });
}

// Keep the page's files; return whether it is being loaded anew, in its next version.
export async function keepOffline(address) {
  if (!("serviceWorker" in navigator)) return false;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration && await updated(registration)) {
      location.reload();
      return true;
    }
    if (registration) follow(registration);
    // Not at once: the first visit loads everything by itself, and its first moves need the machine.
    else addEventListener("board", () => setTimeout(register, LATER, address), { once: true });
  } catch (fault) {
    console.warn(fault); // it plays all the same
  }
  return false;
}

async function register(address) {
  try {
    follow(await navigator.serviceWorker.register(address));
  } catch (fault) {
    console.warn(fault);
  }
}
