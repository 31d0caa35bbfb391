/** Chat command of the operator: `undo that` reverts what the agent's last turn changed in files. */
import { withoutMentions } from '../../contract/chat-commands.ts';

const english = /^\/?(?:please )?undo(?: (?:that|this|it|your changes|the last change))?(?:,? please)?$/i;
const german =
  /^(?:bitte )?(?:mach(?:e)? )?(?:(?:das|es) )?(?:bitte )?(?:wieder )?rückgängig(?: machen)?(?:,? bitte)?$/i;

/** Only these words and nothing else, so that no sentence about an undo counts as one. */
export function isUndoCommand(text: string): boolean {
  const said = withoutMentions(text)
    .trim()
    .replace(/[.!]+$/, '')
    .trim();
  return english.test(said) || german.test(said);
}
