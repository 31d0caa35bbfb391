/** Sections of the settings in display order; each has the address `#/settings/<part>`. */
import { t } from '../../language/texts.ts';

export const settingsParts = [
  'general',
  'profile',
  'notifications',
  'appearance',
  'models',
  'mcp',
  'skills',
  'budget',
  'rules',
  'bridge',
  'server',
  'devices',
  'people',
  'security',
  'backup',
  'doctor',
  'about',
] as const;
export type SettingsPart = (typeof settingsParts)[number];

export const partIn = (section: string | null | undefined): SettingsPart =>
  settingsParts.find((part) => part === section) ?? 'general';

export const partHash = (part: SettingsPart): string => `#/settings/${part}`;

/** Returns the sections whose name or keywords contain every typed word. */
export function partsFor(text: string): readonly SettingsPart[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settingsParts.filter((part) => {
    const all = `${t(`settings.${part}`)} ${t(`settings.${part}Words`)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
