/** The whole question of an approval on one line, for surfaces that cut longer texts, such as notifications (T8). */
import { argvText } from './argv-text.ts';
import type { Approval } from './consent.ts';
import { toVisibleLine } from './visible-text.ts';

/** Code points that each system shows of the text of a notification. */
export const wholePoints = 200;

type Question = Pick<
  Approval,
  'kind' | 'agentName' | 'title' | 'preview' | 'where' | 'effects' | 'gate' | 'offers'
>;
/** Renders a text of the host in the reader's language. */
type Render = (text: Approval['title']) => string;
type Effect = NonNullable<Question['effects']>[number];

function targetOf(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return effect.path;
    case 'run':
      return argvText(effect.argv);
    case 'send':
      return effect.to;
    case 'network':
      return effect.host;
  }
}

/**
 * Agent, title, preview, place and all targets; each only if the text before does not contain it. `null` if
 * that is more than `wholePoints` or several lines, if "once" is not offered, or if more than yes or no is
 * asked.
 */
export function wholeQuestion(question: Question, render: Render): string | null {
  const { kind, agentName, title, preview, where, effects = [], gate, offers } = question;
  const isYesOrNo = gate === undefined && kind !== 'contact' && offers.some(({ scope }) => scope === 'once');
  if (!isYesOrNo || preview.cut === true || /[\n<>&]/.test(preview.body)) return null;
  const parts = [preview.body, render(where), ...effects.map(targetOf)].filter((part) => part !== '');
  const text = parts.reduce(
    (all, part) => (all.includes(part) ? all : `${all} · ${part}`),
    `${agentName} ${render(title)}`,
  );
  const line = toVisibleLine(text);
  return [...line].length <= wholePoints && !/[<>&]/.test(line) ? line : null;
}
