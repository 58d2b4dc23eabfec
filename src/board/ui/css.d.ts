// Styles are imported for their side effect: the build puts them into the style sheet of the view.
declare module "*.css";
