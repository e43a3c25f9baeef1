// When people are ticked for comparing, updates the tray, the address and the links of the page.
const tray = document.querySelector("[data-tray]");
if (tray) keep(tray);

function keep(tray) {
  const form = document.getElementById(tray.dataset.tray);
  const max = Number(tray.dataset.max);
  const list = tray.querySelector("ul");
  const boxes = [...document.querySelectorAll("input[data-pick]")];
  const isSearch = form.getAttribute("action") === "/";
  // The names of the ticked people, by login.
  let picks = new Map([...list.children].map(({ dataset }) => [dataset.login, dataset.name]));

  const show = () => {
    for (const box of boxes) box.checked = picks.has(box.value);
    const entries = [...picks].map(([login, name]) => {
      // For a person without a box on this page, the entry has a hidden field.
      const isHere = boxes.some(({ value }) => value === login);
      return createEntry({ login, name, form: isHere ? undefined : form.id }, remove);
    });
    list.replaceChildren(...entries);
    say(describe(picks.size, max));
    if (isSearch) remember(picks);
  };
  const remove = (login) => {
    picks.delete(login);
    show();
    tray.querySelector("button").focus();
  };
  const say = (text) => {
    const limit = tray.querySelector("[role=status]");
    if (limit.textContent !== text) limit.textContent = text;
  };
  for (const box of boxes) {
    box.addEventListener("change", () => {
      if (box.checked && picks.size >= max) {
        box.checked = false;
        say(`Four at most: remove one to add ${box.dataset.pick}.`);
        return;
      }
      if (box.checked) picks.set(box.value, box.dataset.pick);
      else picks.delete(box.value);
      show();
    });
  }
  // After going back, the address can be outdated, so the stored people are shown.
  const goBack = () => {
    picks = recall() ?? picks;
    show();
  };
  addEventListener("pageshow", ({ persisted }) => persisted && isSearch && goBack());
  const [navigation] = performance.getEntriesByType("navigation");
  if (isSearch && navigation?.type === "back_forward") goBack();
  else show();
}

function describe(people, max) {
  if (people > max) return `Four at most: remove ${people - max} of ${people}.`;
  return people === 0 ? "Tick two to four people to compare them." : "Four at most.";
}

function createEntry({ login, name, form }, remove) {
  const entry = document.createElement("li");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: "×" });
  button.ariaLabel = `Remove ${name}`;
  button.addEventListener("click", () => remove(login));
  entry.append(name, button);
  if (form) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: "login", value: login });
    input.setAttribute("form", form);
    entry.append(input);
  }
  return entry;
}

// Stores the ticked people for this tab, and adds them to the address and the links.
function remember(picks) {
  sessionStorage.setItem("picks", JSON.stringify([...picks]));
  history.replaceState(history.state, "", addPicks(location.href, picks));
  for (const link of document.querySelectorAll("main a[href='/'], main a[href^='/?']")) {
    link.setAttribute("href", addPicks(link.href, picks));
  }
}

function recall() {
  const stored = sessionStorage.getItem("picks");
  return stored === null ? undefined : new Map(JSON.parse(stored));
}

// Adds the ticked people to an address. The result has no host, like the addresses that the server writes.
function addPicks(address, picks) {
  const { pathname, searchParams, hash } = new URL(address);
  if (picks.size === 0 && !searchParams.has("login")) return address;
  searchParams.delete("login");
  for (const login of picks.keys()) searchParams.append("login", login);
  return `${pathname}${searchParams.size > 0 ? "?" : ""}${searchParams}${hash}`;
}
