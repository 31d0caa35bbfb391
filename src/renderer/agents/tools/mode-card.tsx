import type { PolicyMode } from '../../../contract/consent.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import type { ToolsPart } from './tools-tab.tsx';

const modes: readonly (readonly [PolicyMode, string, string])[] = [
  ['ask', 'Ask me', 'Reading runs by itself. Before it changes or runs anything, it asks you.'],
  [
    'trusted_folders',
    'Trusted folders',
    'It also writes by itself, but only below its writable folders. Everything else asks.',
  ],
  [
    'unattended',
    'Unattended',
    'Whatever the sandbox holds runs without asking. The rest is denied, because nobody is there to ask.',
  ],
];

const arrivals = [
  ['steer', 'Steer', 'It reads the message before its next step and changes course.'],
  ['follow_up', 'Wait', 'It finishes first and reads the message after.'],
] as const;

const levels: readonly (readonly [string, string])[] = [
  ['off', 'Off'],
  ['minimal', 'Minimal'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['xhigh', 'Very high'],
  ['max', 'As much as the model can'],
];

/** How far it is trusted, and how it works; each change is saved at once. */
export function ModeCard({ view, save }: ToolsPart) {
  const known = levels.some(([level]) => level === view.thinking);
  return (
    <section className="card stack" aria-labelledby="mode-title">
      <h2 id="mode-title">How far you trust it</h2>
      <RadioField
        label="Mode"
        value={view.mode}
        options={modes}
        onChange={(mode) => void save({ mode })}
        hint="Some things always ask, whatever the mode: deleting for good, leaving its folders, spending."
      />
      <RadioField
        label="A message that comes while it works"
        value={view.arrival}
        options={arrivals}
        onChange={(arrival) => void save({ arrival })}
      />
      <ChoiceField
        label="Thinking"
        value={view.thinking}
        options={known ? levels : [...levels, [view.thinking, view.thinking || 'As the model is set']]}
        onChange={(thinking) => void save({ thinking })}
        hint="How long a model that can think may think before it answers. It costs tokens."
      />
      <p className="field-hint">Changes here are saved at once and count from the next turn.</p>
    </section>
  );
}
