/** Name of the service, for people. It is the same in every language. */
export const SERVICE_NAME = 'Broker transparency';
