import type { CliPart } from '../../cli-message.ts';

export const cliUpkeep: CliPart<'cliUpkeep'> = {
  kept: 'Der frühere Text ist in {kept}.',
  loginRenewed: 'Die Anmeldung bei {provider} ist erneuert.',
  newer: '{latest} ist da.',
  newerAt: '{latest} ist da: {page}.',
  newest: 'Das ist die neueste ({latest}).',
  ownPrimer: 'Die Anleitung ist schon die von Kennel; nichts wurde geändert.',
  primerRestored:
    'Die Anleitung, die alle Agenten lesen, ist ab ihrem nächsten Arbeitsgang wieder die von Kennel. ({path})',
  thisIs: 'Das ist Kennel {current}.',
};
