// Shows notifications where a page may not, as in Chrome on Android; a tap leads back to the page.
"use strict";

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: "window", includeUncontrolled: true })
    .then(([page]) => (page ? page.focus() : clients.openWindow("/"))));
});
