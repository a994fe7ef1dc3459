// What is used of `bcryptjs`, in a module that is read when the first password has to be compared.
export { compare } from 'bcryptjs'
