// Small conveniences. Every page works without this script.
const status = create("p", { className: "unseen", role: "status" });
document.body.append(status);

// The scripts of a page share one scope, so no name is in two of them.
function create(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy], button[data-reveal], button[data-print]");
  if (!button) return;
  if (button.hasAttribute("data-print")) print();
  else if (button.dataset.copy) await copy(button);
  else reveal(button);
});

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  // Without TLS, browsers deny the clipboard, except on loopback. The text is then selected instead.
  const isCopied = await navigator.clipboard?.writeText(source.textContent.trim()).then(
    () => true,
    () => false,
  );
  if (!isCopied) getSelection().selectAllChildren(source);
  const text = isCopied ? "Copied" : "Selected";
  button.firstChild.data = text;
  status.textContent = text;
  setTimeout(() => {
    button.firstChild.data = "Copy";
    status.textContent = "";
  }, 3000);
}

function reveal(button) {
  const box = document.getElementById(button.dataset.reveal);
  const isShown = box.type === "text";
  box.type = isShown ? "password" : "text";
  button.toggleAttribute("data-shown", !isShown);
  button.firstChild.data = isShown ? "Show" : "Hide";
}

// Hides revealed passwords before sending, so that no browser stores them as ordinary text.
document.addEventListener("submit", (event) => {
  for (const button of event.target.querySelectorAll("button[data-shown]")) {
    reveal(button);
  }
});

// When the form of a note opens, its text field takes the focus.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open && target.matches(".adder > *, .listed-note > *"))
      target.querySelector("textarea")?.focus();
  },
  true,
);
// Closes a popup on a click or focus elsewhere, and on Escape, which puts the focus on its button.
function closePopups(isLeft) {
  const left = [...document.querySelectorAll("details.popup[open]")].filter(isLeft);
  for (const popup of left) popup.open = false;
  return left[0];
}
document.addEventListener("click", ({ target }) => {
  closePopups((popup) => !popup.contains(target));
});
document.addEventListener("focusout", ({ relatedTarget }) => {
  closePopups((popup) => relatedTarget && !popup.contains(relatedTarget));
});

// Escape closes a popup, `/` goes to the search for people, and letters press buttons in an element with `data-keys`.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape")
    closePopups(() => true)
      ?.querySelector("summary")
      .focus();
  const isTyping = event.target.matches("input:not([type=checkbox]), textarea, select");
  const field = document.querySelector(".top input[type=search]");
  if (event.key === "/" && field && !isTyping) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "?" && !isTyping) showKeys();
  const part = isTyping ? undefined : event.target.closest("[data-keys]");
  part?.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});

// Lists the keys of the page in a dialog.
function showKeys() {
  const ofResults = { "↓ ↑": "Move", Enter: "Open", a: "Add to list", x: "Select" };
  const ofButtons = [...document.querySelectorAll("[data-key]")].map((it) => [
    ...[it.dataset.key, it.textContent],
  ]);
  const keys = Object.entries({
    ...{ "/": "Find a person", ...(document.querySelector(".result") && ofResults) },
    ...Object.fromEntries(ofButtons),
    Esc: "Close",
  });
  const dialog = create("dialog", { ariaLabel: "Keys" });
  const list = create("dl");
  for (const [at, textContent] of keys.flat().entries()) {
    list.append(create(at % 2 === 0 ? "dt" : "dd", { textContent }));
  }
  dialog.append(create("h2", { textContent: "Keys" }), list);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

// Shows a line when the people in the pool have changed since the page was opened. Asks only while the page is visible, and not
// without end, because asking prolongs the session.
const news = document.querySelector("[data-news]");
const newsEveryMs = 15_000;
let questionsLeft = 2000;
if (news) {
  setInterval(askForNews, newsEveryMs);
  addEventListener("focus", askForNews);
}

async function askForNews() {
  if (document.hidden || !news.hidden || questionsLeft-- <= 0) return;
  const address = new URL(news.dataset.news, news.querySelector("a").href);
  const answer = await fetch(address).catch(() => undefined);
  // After the session has ended, the server redirects to another page.
  if (!answer?.ok || answer.redirected) return;
  const { isNew } = await answer.json();
  if (!isNew) return;
  status.textContent = news.querySelector("span").textContent;
  news.hidden = false;
}

// The text of a file that is dropped on a field with `data-drop` becomes the text of the field.
for (const field of document.querySelectorAll("[data-drop]")) {
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    const bytes = new Uint8Array(await file.arrayBuffer());
    // PowerShell redirects output as UTF-16.
    const marked = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.slice(0, 2).join()];
    field.value = new TextDecoder(marked).decode(bytes);
    status.textContent = `${file.name} is in the field.`;
  });
}
