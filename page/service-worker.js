// Offline: the page's files are kept, all of one version.  A new version is fetched in the
// background; it takes over when the page is opened again, never while one plays.
const VERSION = "VERSION";
const FILES = "FILES";

// Another path of the same site may have a page of its own.
const OURS = `thud-page-${registration.scope}-`;
const NAME = OURS + VERSION;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fresh)));
});

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== NAME) await caches.delete(name);
  }
  await self.clients.claim();
}

self.addEventListener("activate", (event) => event.waitUntil(tidy()));

self.addEventListener("message", ({ data }) => {
  if (data === "take over") self.skipWaiting();
});

async function answer(request) {
  const wanted = request.mode === "navigate" ? "index.html" : request;
  const cache = await caches.open(NAME);
  return await cache.match(wanted, { ignoreSearch: true }) || fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});

async function show() {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page) await page.focus();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show());
});
