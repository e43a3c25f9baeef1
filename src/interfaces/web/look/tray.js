// Selecting people updates the tray, the address and the links of the page. Keys move between results.
const tray = document.querySelector(".tray");
if (tray) keep(document.getElementById("search"));

function keep(form) {
  const max = Number(tray.dataset.max);
  const list = tray.querySelector("ul");
  const status = tray.querySelector("[role=status]");
  const boxes = [...document.querySelectorAll("input[data-pick]")];
  // The names of the selected people, by login. The list has those who are not on this page.
  let picks = new Map([
    ...[...list.children].map(({ dataset }) => [dataset.login, dataset.name]),
    ...boxes.filter(({ checked }) => checked).map((box) => [box.value, box.dataset.pick]),
  ]);
  const show = () => {
    for (const box of boxes) box.checked = picks.has(box.value);
    const others = [...picks].filter(([login]) => boxes.every(({ value }) => value !== login));
    list.replaceChildren(...others.map(([login, name]) => createEntry(login, name, remove)));
    const isMany = picks.size > max;
    const text = `${picks.size} selected${isMany ? ". Compare takes four at most" : ""}`;
    if (status.textContent !== text) status.textContent = text;
    tray.querySelector("[formaction$='/compare']").disabled = isMany;
    remember(picks, new URL(form.action).pathname);
  };
  const remove = (login) => {
    picks.delete(login);
    show();
    tray.querySelector("button").focus();
  };
  for (const box of boxes) {
    box.addEventListener("change", () => {
      if (box.checked) picks.set(box.value, box.dataset.pick);
      else picks.delete(box.value);
      show();
    });
  }
  // After going back, the address can be outdated, so the stored people are shown.
  const goBack = () => {
    picks = new Map(JSON.parse(sessionStorage.getItem("picks") ?? "null") ?? picks);
    show();
  };
  addEventListener("pageshow", ({ persisted }) => persisted && goBack());
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation?.type === "back_forward") goBack();
  else show();
}

function createEntry(login, name, remove) {
  const entry = create("li");
  const labels = { textContent: `${name} ×`, ariaLabel: `Remove ${name}` };
  const button = create("button", { type: "button", className: "quiet", ...labels });
  button.addEventListener("click", () => remove(login));
  const input = create("input", { type: "hidden", name: "login", value: login });
  input.setAttribute("form", "search");
  entry.append(button, input);
  return entry;
}

// Stores the selected people for this tab, and adds them to the address and to the links to other results.
function remember(picks, pathOfResults) {
  sessionStorage.setItem("picks", JSON.stringify([...picks]));
  history.replaceState(history.state, "", addPicks(location.href, picks));
  for (const link of document.querySelectorAll("main a[href]:not([href^='#'])")) {
    if (link.pathname === pathOfResults) link.setAttribute("href", addPicks(link.href, picks));
  }
}

// Adds the selected people to an address. The result has no host, like the addresses that the server writes.
function addPicks(address, picks) {
  const { pathname, searchParams, hash } = new URL(address);
  if (picks.size === 0 && !searchParams.has("login")) return address;
  searchParams.delete("login");
  for (const login of picks.keys()) searchParams.append("login", login);
  return `${pathname}${searchParams.size > 0 ? "?" : ""}${searchParams}${hash}`;
}

const rows = [...document.querySelectorAll(".result")];
if (rows.length > 0) {
  addEventListener("hashchange", mark);
  mark()?.scrollIntoView({ block: "nearest" });
  document.addEventListener("keydown", steer);
}

// Marks the row whose reasons the address names. @returns the row.
function mark() {
  const login = decodeURIComponent(location.hash)
    .replace(/^#(why|row|person)-/, "")
    .toLowerCase();
  const named = rows.find(({ dataset }) => dataset.login.toLowerCase() === login);
  for (const row of rows) row.toggleAttribute("data-current", row === named);
  return named;
}

function steer(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const isBox = target.matches("[type=checkbox]");
  if (target.closest("textarea, select, summary, button, dialog, input") && !isBox) return;
  const row = target.closest(".result") ?? mark();
  const at = rows.indexOf(row);
  const link = row?.querySelector("h3 a");
  const select = () => row?.querySelector("input").click();
  const action = {
    ArrowDown: () => goTo(rows[at + 1]),
    ArrowUp: () => goTo(rows[at - 1]),
    a: () => row && addToList(row),
    x: select,
    " ": isBox ? undefined : select,
    Enter: target === document.body ? () => link?.click() : undefined,
  }[key];
  if (!action) return;
  event.preventDefault();
  action();
}

// Replaces the address, so that going back leaves the results at once.
function goTo(row) {
  if (!row) return;
  location.replace(row.querySelector(".result-score").hash);
  mark();
  row.querySelector("h3 a").focus();
}

function addToList(row) {
  goTo(row);
  document.getElementById(`why-${row.dataset.login}`).querySelector(".adder .button").click();
}
