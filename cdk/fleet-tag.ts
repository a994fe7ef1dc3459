// The tag by which the master knows the groups whose hooks it may complete.

/** On every Auto Scaling group of a BrineFleet, and in the condition of the master's permission. */
export const fleetTag = { key: 'brine:fleet', value: 'yes' } as const
