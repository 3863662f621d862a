// Puts the player in place of a film's still, once the film comes into view.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const screen = document.createElement("div");
    target.querySelector("img")?.replaceWith(screen);
    if (!screen.isConnected) target.prepend(screen);
    AsciinemaPlayer.create(target.dataset.film, screen, {
      fit: "width",
      poster: `npt:${target.dataset.poster}`,
      preload: true,
      theme: "asciinema",
    });
  }
});
for (const film of document.querySelectorAll(".film")) seen.observe(film);
