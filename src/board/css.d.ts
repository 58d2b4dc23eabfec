// Styles are imported for their effect: the build puts them into the style sheet of the view.
declare module "*.css";
