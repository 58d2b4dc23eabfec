export const emptyPlant = {
  title: "No machine yet.",
  start: "An admin sets up the first one here",
  hint: "Or by the API, with the token of an admin in TOKEN:",
};
