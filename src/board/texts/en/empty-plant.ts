export const emptyPlant = {
  title: "No machine yet.",
  hint: "An admin creates one, then sends its first count. With the token of an admin in TOKEN:",
};
