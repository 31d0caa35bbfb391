import { ExactText } from './exact-text.tsx';
import { ScrollRegion } from './scroll-region.tsx';

/** A text letter by letter under what it is; nothing where there is none. */
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
