import { Icon } from '../mark/icon.tsx';
import { copyText } from '../state/copy.ts';

/** `label` names the copied content, for example "Copy the code". */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => copyText(text)}
    >
      <Icon name="copy" size={16} />
    </button>
  );
}
