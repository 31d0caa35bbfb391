import { expect, it } from 'vitest';
import type { GateForm } from './gate-answer.tsx';
import { gateFacts } from './gate-facts.tsx';

const gate: GateForm = {
  runId: 'r',
  runName: 'release',
  path: 'agreed',
  kind: 'approval',
  prompt: 'Release?',
  preview: '',
  items: [],
  schemaJson: '',
  defaultsJson: '',
  subjectJson: '',
  named: [],
  needed: 2,
  notInitiator: false,
  votes: [],
};
const agreed = (votes: readonly string[]) =>
  gateFacts({ ...gate, votes: [...votes] }, (who) => who).find(([name]) => name === 'Approved by')?.[1];

it('lists the people who agreed, and only the count if there are none', () => {
  expect(agreed([])).toBe('0 of 2');
  expect(agreed(['ada'])).toBe('1 of 2: ada');
});
