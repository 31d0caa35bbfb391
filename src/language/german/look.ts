import type { Words } from '../words.ts';

export const look: Words<'look'> = {
  title: 'Aussehen',
  theme: 'Farben',
  system: 'System',
  light: 'Hell',
  dark: 'Dunkel',
  contrast: 'Hoher Kontrast',
  spacing: 'Abstände',
  comfortable: 'Bequem',
  compact: 'Eng',
  language: 'Sprache',
  systemLanguage: 'Wie das System',
};
