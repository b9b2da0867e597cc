/** Whether `npm run dev` started this process: Next then compiles pages when they are requested. */
export const isDevelopment = process.env.NODE_ENV === 'development';
