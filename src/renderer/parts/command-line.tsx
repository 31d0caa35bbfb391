import { CopyButton } from './copy-button.tsx';

/** A command for the person's own terminal, with a button that copies it. `label` names the button. */
export const CommandLine = ({ command, label }: { readonly command: string; readonly label: string }) => (
  <p className="command">
    <code>{command}</code>
    <CopyButton label={label} text={command} />
  </p>
);
