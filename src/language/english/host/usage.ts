export const usage = {
  allAgents: 'all agents',
  budgetNearlyUsedUp: 'The budget of {whose} is nearly used up: {figures}.',
  budgetUsedUp: 'The budget of {whose} is used up: {figures}.',
  continuesByItself: 'Kennel continues automatically when the disk works again.',
  month: 'this month',
  nextMonth: 'next month',
  dollars: '{used, dollars} of {max, dollars} {span}',
  unknownPrice:
    'The price of {model} is unknown, and the budget of {whose} is in dollars. The model was not asked.',
  raiseOrWait: 'Raise it with `{command}`, or wait until {until}.',
  setPrice: 'Set a price for {model} (daemon.yml, `prices`), or use a budget in tokens instead.',
  simulated: '{used, dollars} of {max, dollars} simulated, {span}',
  spendingUnreadable: 'Kennel cannot read the spending so far, so it spends nothing more. {why}',
  spendingLocked: 'Your spending records are locked together with your secrets.',
  today: 'today',
  tokens: '{used, number} of {max, number} tokens {span}',
  tomorrow: 'tomorrow',
  usd: '{usd, dollars}',
  tokenCount: '{count, number} {count|token|tokens}',
  another: 'another {amount} {when}',
  allNeedMore:
    'cannot continue: all agents together have used their budget of {amount} for {when}. Let them spend another {amount} {when}?',
  agentNeedsMore: 'has used its budget of {amount} for {when}. Let it spend another {amount} {when}?',
  whyAsked:
    'It asks because only you can approve spending beyond a budget. The budget itself does not change.',
} as const;
