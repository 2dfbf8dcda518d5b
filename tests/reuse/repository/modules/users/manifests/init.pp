# People.
class users {
  @user { 'ann': tag => 'http' }
  @user { 'bob': tag => 'sql' }
}
