export const usage = {
  allAgents: 'all agents',
  budgetNearlyUsedUp: 'The budget of {whose} is nearly used up: {figures}.',
  budgetUsedUp: 'The budget of {whose} is used up: {figures}.',
  continuesByItself: 'Kennel continues by itself when the disk works again.',
  month: 'this month',
  nextMonth: 'next month',
  dollars: '{used} of {max} {span}',
  unknownPrice:
    'The price of {model} is unknown, and the budget of {whose} is in dollars. The model was not asked.',
  raiseOrWait: 'Raise it with `{command}`, or wait until {until}.',
  setPrice: 'Set a price for {model} (daemon.yml, `prices`), or use a budget in tokens instead.',
  simulated: '{used} of {max} simulated, {span}',
  spendingUnreadable: 'Kennel cannot read the spending so far, so it spends nothing more. {why}',
  spendingLocked: 'Your spending records are locked together with your secrets.',
  today: 'today',
  tokens: '{used} of {max} tokens {span}',
  tomorrow: 'tomorrow',
} as const;
