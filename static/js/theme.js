// Light or dark, as the reader chooses. The server writes the choice into <html data-theme>, so
// that no page flashes in the other one first.

const toggle = document.querySelector("[data-theme-toggle]");

const current = () =>
  document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

toggle.hidden = false;
toggle.addEventListener("click", () => {
  const chosen = current() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${chosen}; path=/; max-age=31536000; samesite=lax${secure}`;
});

// Menus close as people expect them to.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = document.activeElement?.closest("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
