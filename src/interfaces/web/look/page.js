// Conveniences only: every page works without this script.
const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.body.append(status);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy], button[data-reveal]");
  if (!button) return;
  if (button.dataset.copy) await copy(button);
  else reveal(button);
});

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  // Browsers deny the clipboard to pages without TLS, except on loopback; then select the text instead.
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

// A letter presses a button if the focus is in a part with `data-keys`; elsewhere letters stay with the browser.
document.addEventListener("keydown", (event) => {
  if (
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    event.target.matches("input, textarea, select")
  )
    return;
  const part = event.target.closest("[data-keys]");
  part?.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
