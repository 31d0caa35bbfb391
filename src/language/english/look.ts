/** Settings of the appearance. */
export const look = {
  title: 'Appearance',
  theme: 'Theme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
  spacing: 'Spacing',
  comfortable: 'Comfortable',
  compact: 'Compact',
  language: 'Language',
  systemLanguage: 'System language',
} as const;
