/** The statuses of orders that are not over. */
export const openStatuses = ["Backlog", "Planned", "InProgress", "Paused"] as const;
