import { useEffect, useRef } from "preact/hooks";

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
}

/** The elements that mails of reports have. Anything else is left out. */
const known = new Set([
  ...["DIV", "P", "H1", "H2", "H3", "SPAN", "STRONG", "EM", "A", "BR", "HR", "UL", "OL", "LI"],
  ...["TABLE", "CAPTION", "THEAD", "TBODY", "TFOOT", "TR", "TH", "TD"],
]);

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** Parses a mail without running or loading anything of it. Its styles are kept as data: the policy refuses even to parse them. */
function parsed(html: string): Document {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("andon-mail", { createHTML: (text) => text });
  const plain = html.replace(/<style>[^<]*<\/style>/g, "").replace(/ style="/g, ' data-style="');
  return new DOMParser().parseFromString(policy?.createHTML(plain) ?? plain, "text/html");
}

/**
 * A mail as its reader sees it. The page's policy allows no styles in attributes, which mails are made of, neither here nor in a frame:
 * so its elements are made anew, with their styles set by script, apart from the styles of the page.
 */
export function MailView({ html, title }: { html: string; title: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const root = current.shadowRoot ?? current.attachShadow({ mode: "open" });
    root.replaceChildren();
    for (const node of copiesOf(parsed(html).body)) root.append(node);
  }, [html]);
  return <div ref={box} class="mail" role="document" aria-label={title} />;
}

function copiesOf(parent: Element): Node[] {
  return [...parent.childNodes].flatMap((node) => {
    if (node instanceof Text) return [document.createTextNode(node.data)];
    if (!(node instanceof HTMLElement)) return [];
    if (!known.has(node.tagName)) return copiesOf(node);
    const copy = document.createElement(node.tagName);
    copy.style.cssText = node.dataset.style ?? "";
    for (const name of [
      "colspan",
      "rowspan",
      "scope",
      "lang",
      "role",
      "align",
      "width",
      "cellpadding",
      "cellspacing",
      "border",
    ]) {
      const value = node.getAttribute(name);
      if (value !== null) copy.setAttribute(name, value);
    }
    if (copy instanceof HTMLAnchorElement && node instanceof HTMLAnchorElement && /^https?:/.test(node.href)) {
      copy.href = node.href;
      copy.target = "_blank";
      copy.rel = "noopener noreferrer";
    }
    for (const child of copiesOf(node)) copy.append(child);
    return [copy];
  });
}
