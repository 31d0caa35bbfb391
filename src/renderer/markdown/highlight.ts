/** Colours code of a few languages. Loaded with the first code block that names one. */
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** Part of a line, with the class of its colour; `null` is plain text. */
export interface CodePart {
  readonly text: string;
  readonly kind: string | null;
}

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

function* partsIn(nodes: Nodes, kind: string | null): Generator<CodePart> {
  for (const node of nodes) {
    if (node.type === 'text') yield { text: node.value, kind };
    if (node.type !== 'element') continue;
    const { className } = node.properties;
    yield* partsIn(node.children, Array.isArray(className) ? className.join(' ') : kind);
  }
}

/** `null` for an unknown language. The texts of all parts together are the code. */
export const highlightCode = (language: string, code: string): readonly CodePart[] | null =>
  lowlight.registered(language) ? [...partsIn(lowlight.highlight(language, code).children, null)] : null;
