/** The whole question of an approval on one line, for surfaces that cut longer texts, such as notifications (T8). */
import { englishText } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import type { Approval } from './approvals.ts';
import { argvText } from './argv-text.ts';
import { effectTarget } from './effect-target.ts';
import { toVisibleLine } from './visible-text.ts';

/**
 * The widest question, in columns. No system promises how much of a notification it shows; each cuts by lines
 * or pixels, so this is a cautious limit.
 */
const maxColumns = 80;
/** East Asian wide characters and emoji begin here; the narrow ones above it count as wide, too. */
const firstWide = 0x1100;
/** The blocks of scripts that run from right to left; they reorder the text around them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

type Question = Pick<
  Approval,
  'kind' | 'agentName' | 'title' | 'preview' | 'where' | 'effects' | 'gate' | 'offers'
>;
/** Renders a text of the host in the reader's language. */
type Render = (text: Approval['title']) => string;
type Effect = NonNullable<Question['effects']>[number];

const countColumns = (line: string): number =>
  [...line].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) < firstWide ? 1 : 2), 0);

const effectKeys = {
  read: 'approvals.effectRead',
  write: 'approvals.effectWrite',
  delete: 'approvals.effectDelete',
  run: 'approvals.effectRun',
  send: 'approvals.effectSend',
} as const;

/** The preview is exactly the command that runs. */
function isPreviewed(effect: Effect, { body }: Question['preview']): boolean {
  if (effect.kind !== 'run') return false;
  const [program = '', flag, line, ...rest] = effect.argv;
  const isShellLine = /^(?:\/bin\/)?(?:ba)?sh$/.test(program) && flag === '-c' && rest.length === 0;
  return argvText(effect.argv) === body || (isShellLine && line === body);
}

function questionLine(question: Question, render: Render): string | null {
  const { kind, agentName, title, preview, where, effects = [], gate, offers } = question;
  const isYesOrNo = gate === undefined && kind !== 'contact' && offers.some(({ scope }) => scope === 'once');
  if (!isYesOrNo || preview.cut === true || /[\n<>&]/.test(preview.body)) return null;
  const targets = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === 'network') return null;
    if (isPreviewed(effect, preview)) continue;
    targets.add(render(say(effectKeys[effect.kind], { target: effectTarget(effect) })));
  }
  const parts = [`${agentName} ${render(title)}`, preview.body, render(where), ...targets];
  const line = toVisibleLine(parts.filter((part) => part !== '').join(' · '));
  return countColumns(line) <= maxColumns && !/[<>&]/.test(line) && !rightToLeft.test(line) ? line : null;
}

/**
 * Agent, title, preview, place, and every effect with its verb. Only an effect that equals the preview is left
 * out: the agent writes parts of the text, so a mere similarity must not hide a target. `null` if that is
 * wider than `maxColumns` in English, which the host measures, or in the reader's language, of several lines or of a
 * script that reorders it, if the call may use the network, if "once" is not offered, or if more than yes or no is
 * asked.
 */
export const wholeQuestion = (question: Question, render: Render): string | null =>
  questionLine(question, englishText) === null ? null : questionLine(question, render);
