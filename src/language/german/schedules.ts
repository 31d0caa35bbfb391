import type { Words } from '../words.ts';

export const schedules: Words<'schedules'> = {
  emptyTitle: 'Nichts startet von selbst',
  empty:
    'Ein Zeitplan startet eine Aufgabe oder einen Ablauf für dich: einmal zu einer Zeit, immer wieder oder sobald sich eine Datei ändert.',
};
