/* global SwaggerUIBundle */

const ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The public validator would learn where this service is.
  validatorUrl: null,
});

const [login, logout, session] = ["login", "logout", "session"].map((id) => document.getElementById(id));

login.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(login));
  const body = JSON.stringify({ email, password });
  const answer = await fetch("/identity/login", { method: "POST", headers: { "content-type": "application/json" }, body })
    .then((response) => response.json())
    .catch(() => ({ detail: "The service does not answer." }));
  if (answer.data) signIn(answer.data);
  else say(answer.detail, true);
});

function signIn({ email, role, jwt }) {
  ui.preauthorizeApiKey("bearer", jwt.token);
  login.reset();
  login.hidden = true;
  logout.hidden = false;
  say(`${email}, ${role}, until ${new Date(jwt.exp * 1000).toLocaleTimeString()}`);
  logout.addEventListener("submit", (event) => {
    event.preventDefault();
    signOut(jwt.token);
  });
  setTimeout(clear, jwt.exp * 1000 - Date.now());
}

/** Ends the user's tokens. Where the service does not answer, they end by themselves. */
async function signOut(token) {
  await fetch("/v1/tokens", { method: "DELETE", headers: { authorization: `Bearer ${token}` } }).catch(() => null);
  clear();
}

/** The page begins anew: it keeps the token and all answers in its memory alone. */
function clear() {
  location.reload();
}

function say(text, isFault = false) {
  session.textContent = text;
  session.classList.toggle("is-fault", isFault);
}
