import { readableJson } from '../format/readable-json.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';

/** Characters shown before the text is cut. */
const most = 100_000;

export function JsonDetails({ title, json, open = false }: { title: string; json: string; open?: boolean }) {
  return (
    <details open={open}>
      <summary>{title}</summary>
      <TextBox label={title} text={readableJson(json)} />
    </details>
  );
}

/** Text of a step, character by character, in a scrollable box. */
export function TextBox({ label, text }: { label: string; text: string }) {
  return (
    <ScrollRegion className="fall-text" label={label}>
      <pre>
        <ExactText text={text.length > most ? `${text.slice(0, most)}…` : text} />
      </pre>
    </ScrollRegion>
  );
}
