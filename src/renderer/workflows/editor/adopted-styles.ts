/**
 * The page policy forbids style elements, which CodeMirror adds to a document. Style sheets that a script
 * constructs are allowed, so its rules are adopted instead.
 */
import { StyleModule } from 'style-mod';

const adopted = new WeakSet<StyleModule>();

StyleModule.mount = (root, modules) => {
  const fresh = [modules].flat().filter((one) => !adopted.has(one));
  const sheets = fresh.map((one) => {
    adopted.add(one);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(one.getRules());
    return sheet;
  });
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
};
