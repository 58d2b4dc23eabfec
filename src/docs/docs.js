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
  // The public validator would be told where this service is.
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

logout.addEventListener("submit", (event) => {
  event.preventDefault();
  ui.authActions.logout(["bearer"]);
  show(false);
  say("Logged out.");
});

function signIn({ email, role, jwt }) {
  ui.preauthorizeApiKey("bearer", jwt.token);
  login.reset();
  show(true);
  say(`${email}, ${role}, until ${new Date(jwt.exp * 1000).toLocaleTimeString()}`);
}

function show(isSignedIn) {
  login.hidden = isSignedIn;
  logout.hidden = !isSignedIn;
}

function say(text, isFault = false) {
  session.textContent = text;
  session.classList.toggle("is-fault", isFault);
}
