import type { CliPart } from '../../cli-message.ts';

export const cliUsage: CliPart<'cliUsage'> = {
  allAgents: 'alle Agenten',
  budget: 'Budget',
  calls: '{count, number} {count|Aufruf|Aufrufe}',
  dollarsPerDay: '{sum} pro Tag',
  dollarsPerMonth: '{sum} pro Monat',
  limit_tokensPerDay: '{share} % der Token pro Tag',
  limit_tokensPerMonth: '{share} % der Token pro Monat',
  limit_usdPerDay: '{share} % der Dollar pro Tag',
  limit_usdPerMonth: '{share} % der Dollar pro Monat',
  month: 'Monat',
  noBudget: 'keines',
  priceUnknown: 'Preis unbekannt',
  simulated: 'simuliert',
  simulatedPrices: '{sum} (simulierte Preise)',
  today: 'Heute',
  tokensPerDay: '{tokens, number} Token pro Tag',
  tokensPerMonth: '{tokens, number} Token pro Monat',
  unknownToo: '{sum} + unbekannt',
  used: 'Benutzt',
};
