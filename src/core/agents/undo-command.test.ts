import { expect, test } from 'vitest';
import { isUndoCommand } from './undo-command.ts';

test.each([
  'undo',
  '/undo',
  'Undo that',
  'undo that!',
  '@guide-6a46 undo that.',
  'please undo it',
  'undo your changes, please',
  'Mach das rückgängig',
  'mach das bitte wieder rückgängig!',
  'rückgängig machen',
])('%j is a command to undo', (text) => expect(isUndoCommand(text)).toBe(true));

test.each([
  '',
  'undo that change to the plan we made on Monday',
  'can you undo that?',
  'do not undo that',
  'undone',
  'I said: undo that',
  'Das lässt sich nicht rückgängig machen',
])('%j is no command (T8)', (text) => expect(isUndoCommand(text)).toBe(false));
