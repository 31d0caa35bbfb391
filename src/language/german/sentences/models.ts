import type { HostSentences } from '../../host-sentences.ts';

export const modelSentences: HostSentences = {
  'The instructions and tools of this agent need about {n} tokens, and the window of its model has {window}. Choose a model with a larger window, or give the agent fewer tools.':
    'Anweisungen und Werkzeuge dieses Agenten brauchen etwa {n} Token, und das Fenster seines Modells hat {window}. Wähle ein Modell mit größerem Fenster, oder gib dem Agenten weniger Werkzeuge.',
  'This login is over. Start it again in Kennel.': 'Diese Anmeldung ist vorbei. Beginne sie in Kennel neu.',
};
