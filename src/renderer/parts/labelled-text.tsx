import { ExactText } from './exact-text.tsx';
import { ScrollRegion } from './scroll-region.tsx';

/** Untrusted text with a label; renders nothing if the text is empty. */
export function LabelledText({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <div>
      <p className="fine">{label}</p>
      <ScrollRegion className="fall-text" label={label}>
        <pre>
          <ExactText text={text} />
        </pre>
      </ScrollRegion>
    </div>
  );
}
