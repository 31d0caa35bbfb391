/** The languages of Kennel, and the choice among them. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** First supported language of the wanted ones (BCP 47 tags), else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base] = tag.toLowerCase().split('-');
    const found = (Object.keys(languages) as Language[]).find((one) => one === base);
    if (found) return found;
  }
  return 'en';
}
