import type { Words } from '../words.ts';

export const tasks: Words<'tasks'> = {
  emptyTitle: 'Noch keine Aufgaben',
  empty:
    'Eine Aufgabe erledigt ein Agent allein: Du schreibst das Ziel auf, er arbeitet Schritt für Schritt daran und fragt dich nur, wenn eine Regel es verlangt. Sie übersteht Neustarts, und du kannst sie zwischen zwei Schritten anhalten.',
  named: 'Aufgabe {number}',
};
