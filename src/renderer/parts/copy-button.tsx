import { copyText } from '../state/copy.ts';
import { IconButton } from './icon-button.tsx';

/** `label` names the copied content, for example "Copy the code". */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  return <IconButton icon="copy" label={label} onPress={() => copyText(text)} />;
}
